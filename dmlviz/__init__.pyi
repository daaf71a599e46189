# written by python -m tests.stubs

from dmlviz.base.errors import EngineRefused as EngineRefused
from dmlviz.base.errors import EngineUnavailable as EngineUnavailable
from dmlviz.base.errors import Error as Error
from dmlviz.base.errors import LiteralError as LiteralError
from dmlviz.base.errors import Problem as Problem
from dmlviz.base.errors import Refused as Refused
from dmlviz.base.errors import TooLarge as TooLarge
from dmlviz.code import ChainTrace as ChainTrace
from dmlviz.code import CodeRefused as CodeRefused
from dmlviz.code import code as code
from dmlviz.code.between import Between as Between
from dmlviz.code.between import between as between
from dmlviz.code.between_files import FilesBetween as FilesBetween
from dmlviz.code.between_files import between_files as between_files
from dmlviz.code.observing import Observed as Observed
from dmlviz.code.observing import observed as observed
from dmlviz.engines import Engine as Engine
from dmlviz.engines import engines as engines
from dmlviz.engines.trace import Trace as Trace
from dmlviz.engines.trace import run as run
from dmlviz.notebook import explore as explore
from dmlviz.notebook import widget as widget
from dmlviz.operators import Operator as Operator
from dmlviz.operators import older_form_of as older_form_of
from dmlviz.operators import operator_from_desc as operator_from_desc
from dmlviz.operators.depth_to_space import DepthToSpace as DepthToSpace
from dmlviz.operators.diagonal_matrix import DiagonalMatrix as DiagonalMatrix
from dmlviz.operators.fill_value_constant import FillValueConstant as FillValueConstant
from dmlviz.operators.fill_value_sequence import FillValueSequence as FillValueSequence
from dmlviz.operators.gather import Gather as Gather
from dmlviz.operators.gather_elements import GatherElements as GatherElements
from dmlviz.operators.gather_nd import GatherND as GatherND
from dmlviz.operators.join import Join as Join
from dmlviz.operators.max_unpooling import MaxUnpooling as MaxUnpooling
from dmlviz.operators.one_hot import OneHot as OneHot
from dmlviz.operators.padding import Padding as Padding
from dmlviz.operators.resample import Resample as Resample
from dmlviz.operators.reverse_subsequences import ReverseSubsequences as ReverseSubsequences
from dmlviz.operators.scatter import Scatter as Scatter
from dmlviz.operators.scatter_nd import ScatterND as ScatterND
from dmlviz.operators.slice import Slice as Slice
from dmlviz.operators.slice_grad import SliceGrad as SliceGrad
from dmlviz.operators.space_to_depth import SpaceToDepth as SpaceToDepth
from dmlviz.operators.split import Split as Split
from dmlviz.operators.strided import Strided as Strided
from dmlviz.operators.tile import Tile as Tile
from dmlviz.operators.top_k import TopK as TopK
from dmlviz.operators.unfold import Unfold as Unfold
from dmlviz.picture.figure import figure as figure
from dmlviz.picture.page import Player as Player
from dmlviz.picture.page import player as player
from dmlviz.picture.scene import Scene as Scene
from dmlviz.picture.scene import scene as scene
from dmlviz.states.links import link as link

__all__ = [
    "Between",
    "ChainTrace",
    "CodeRefused",
    "DepthToSpace",
    "DiagonalMatrix",
    "Engine",
    "EngineRefused",
    "EngineUnavailable",
    "Error",
    "FilesBetween",
    "FillValueConstant",
    "FillValueSequence",
    "Gather",
    "GatherElements",
    "GatherND",
    "Join",
    "LiteralError",
    "MaxUnpooling",
    "Observed",
    "OneHot",
    "Operator",
    "Padding",
    "Player",
    "Problem",
    "Refused",
    "Resample",
    "ReverseSubsequences",
    "Scatter",
    "ScatterND",
    "Scene",
    "Slice",
    "SliceGrad",
    "SpaceToDepth",
    "Split",
    "Strided",
    "Tile",
    "TooLarge",
    "TopK",
    "Trace",
    "Unfold",
    "between",
    "between_files",
    "code",
    "engines",
    "explore",
    "figure",
    "link",
    "observed",
    "older_form_of",
    "operator_from_desc",
    "player",
    "run",
    "scene",
    "widget",
]
__version__: str
