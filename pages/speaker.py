"""What only the speaker sees while a question is presented."""

from dmlviz.app.speaker_page import speaker_page

speaker_page()
