"""The files of ``deploy/`` agree with each other and with the app; no engine of containers runs here."""

from __future__ import annotations

import ipaddress
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from dmlviz.app.origin_check import PROXIES
from dmlviz.classroom.asking import MOST_BODY, MOST_CLASS
from dmlviz.classroom.database import DATABASE, DAYS, url_of
from dmlviz.classroom.hub import HEARTBEAT
from tests.deploy.cluster import DEPLOY, addresses

pytestmark = pytest.mark.text

yaml = pytest.importorskip(
    "yaml", reason="PyYAML is not installed: pip install -r requirements-dev.txt"
)

ROOT = DEPLOY.parent
HEALTH = "/_stcore/health"
# what the app reads while it runs; tests/browser/test_server.py runs it from read-only files
NEEDED = ["app.py", "pages", "dmlviz", "assets", ".streamlit"]
LOCK = "deploy/requirements.lock"


def instructions(file="Dockerfile"):
    """The Dockerfile's instructions: [("FROM", "${PYTHON_IMAGE}"), ...]."""
    text = (DEPLOY / file).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in joined.splitlines() if line.strip()]


def said(name, file="Dockerfile"):
    return [rest for word, rest in instructions(file) if word == name]


def settings():
    """The image's environment."""
    return dict(re.findall(r"(\w+)=(\S+)", " ".join(said("ENV"))))


def copied(file="Dockerfile"):
    """What the Dockerfile copies out of the repository."""
    return [source for rest in said("COPY", file) for source in rest.split()[:-1]]


def kinds():
    """The Kubernetes manifests by their kind."""
    with (DEPLOY / "kubernetes.yaml").open(encoding="utf-8") as file:
        found = [one for one in yaml.safe_load_all(file) if one]
    assert len({one["kind"] for one in found}) == len(found)
    return {one["kind"]: one for one in found}


def compose():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def megabytes(size):
    number, unit = int(size[:-1]), size[-1]
    return number * {"m": 1, "g": 1024}[unit]


def ignored(path, file="Dockerfile"):
    """Whether Docker is kept from a path; the last line that fits decides."""
    answer = False
    for line in (DEPLOY / f"{file}.dockerignore").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        pattern = line.removeprefix("!").removeprefix("**/")
        parts = [str(p) for p in (path, *path.parents)] + [path.name] * line.startswith("**/")
        if any(fnmatch(part, pattern) for part in parts if part != "."):
            answer = not line.startswith("!")
    return answer


def test_the_image_has_all_that_the_app_needs_and_no_more(tracked_files):
    assert set(copied()) == {*NEEDED, "LICENSE", LOCK}
    for source in copied():
        assert (ROOT / source).exists(), source
    tracked = tracked_files
    left = {path for path in map(Path, tracked) if not ignored(path)}
    if not left:
        pytest.skip("not a git checkout")
    assert {path.parts[0] for path in left} == {*NEEDED, "LICENSE", "deploy"}
    assert [path for path in left if path.parts[0] == "deploy"] == [Path(LOCK)]
    for folder in ("dmlviz", "pages", "assets/lessons", "assets/recordings", "assets/documents"):
        inside = {Path(p) for p in tracked if p.startswith(f"{folder}/")}
        assert inside
        assert inside <= left
    assert Path("assets/icon.png") in left
    assert not any(path.is_relative_to("assets/screenshots") for path in left)
    assert ignored(Path(".streamlit/secrets.toml"))
    assert ignored(Path("dmlviz/app/__pycache__/state.cpython-312.pyc"))


def test_the_image_is_plain_and_runs_as_nobody_in_particular():
    assert said("FROM") == ["${PYTHON_IMAGE}"]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", said("USER")[-1])
    assert instructions().index(("USER", said("USER")[-1])) > max(
        number for number, (word, _rest) in enumerate(instructions()) if word in ("RUN", "COPY")
    )
    assert "apt-get" not in " ".join(said("RUN"))
    assert said("CMD") == ['["streamlit", "run", "app.py"]']


def test_one_port_everywhere():
    port = settings()["STREAMLIT_SERVER_PORT"]
    assert said("EXPOSE") == [port]
    assert f"127.0.0.1:{port}{HEALTH}" in said("HEALTHCHECK")[0]
    assert {address.split(":")[1] for address in addresses()} == {port}
    container = kinds()["Deployment"]["spec"]["template"]["spec"]["containers"][0]
    assert [p["containerPort"] for p in container["ports"]] == [int(port)]
    names = {p["name"] for p in container["ports"]}
    (service,) = kinds()["Service"]["spec"]["ports"]
    assert service["targetPort"] in names
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"] == {"path": HEALTH, "port": service["targetPort"]}
    listen = re.search(r"listen (\d+);", (DEPLOY / "nginx.conf").read_text(encoding="utf-8"))[1]
    assert compose()["services"]["nginx"]["ports"] == [f"{listen}:{listen}"]


def test_compose():
    services = dict(compose()["services"])
    nginx = services.pop("nginx")
    database = services.pop("database")
    found = [f"{one['networks']['inside']['ipv4_address']}:8501" for one in services.values()]
    assert found == addresses()
    assert nginx["depends_on"] == {name: {"condition": "service_healthy"} for name in services}
    # the image says when a replica is healthy
    assert said("HEALTHCHECK")
    networks = compose()["networks"]
    assert networks["inside"]["internal"]
    assert all(list(one["networks"]) == ["inside", "store"] for one in services.values())
    assert all("ports" not in one for one in (database, *services.values()))
    # it asks for no password: only the replicas reach it
    assert networks["store"]["internal"]
    assert database["networks"] == ["store"]
    assert "store" not in nginx["networks"]
    (volume,) = database["volumes"]
    assert volume.partition(":")[0] in compose()["volumes"]
    # nginx alone can be reached from outside, which an internal network does not allow
    assert [name for name in nginx["networks"] if not networks[name].get("internal")]
    assert "inside" in nginx["networks"]
    network = networks["inside"]["ipam"]["config"][0]["subnet"]
    assert network.endswith(".0/24")
    assert all(address.startswith(network.removesuffix("0/24")) for address in found)
    built = services["replica-1"]["build"]
    assert (DEPLOY / built["context"]).resolve() == ROOT
    assert (ROOT / built["dockerfile"]).is_file()
    for name, one in compose()["services"].items():
        assert one["read_only"], name
        assert one["cap_drop"] == ["ALL"]
        assert one["pids_limit"] >= 256, name
        assert one["logging"]["options"] == {"max-size": "10m", "max-file": "3"}
        # what lies in memory counts as memory
        sizes = [megabytes(re.search(r"size=(\w+)", tmp)[1]) for tmp in one["tmpfs"]]
        assert 0 < sum(sizes) < megabytes(one["mem_limit"])
        assert "/" not in one["image"]
    for volume in nginx["volumes"]:
        here, there, mode = volume.split(":")
        assert (DEPLOY / here).is_file()
        assert there == f"/etc/nginx/{Path(here).name}"
        assert mode == "ro"


def test_replicas_are_named_alike_in_all_their_places():
    text = (DEPLOY / "replicas.conf").read_text(encoding="utf-8")
    anywhere = text[text.index("upstream anywhere") :].partition("}")[0]
    assert re.findall(r"server (\S+) max_fails", anywhere) == addresses()
    numbers = [str(1 + n) for n in range(len(addresses()))]
    assert re.findall(r'"~\^(\d+)-" replica_(\d+);', text) == [(n, n) for n in numbers]
    answered = re.findall(r'"~\(\^\|\[ ,\]\)(\S+)\$" (\d+);', text)
    assert answered == [(re.escape(a), n) for a, n in zip(addresses(), numbers, strict=True)]


def test_kubernetes():
    found = kinds()
    assert set(found) == {
        "Deployment",
        "Service",
        "Ingress",
        "NetworkPolicy",
        "HorizontalPodAutoscaler",
        "PodDisruptionBudget",
    }
    spec = found["Deployment"]["spec"]
    labels = spec["template"]["metadata"]["labels"]
    selectors = [spec["selector"]["matchLabels"], found["Service"]["spec"]["selector"]]
    selectors.append(found["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"])
    selectors.append(found["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"])
    for choice in spec["template"]["spec"]["topologySpreadConstraints"]:
        selectors.append(choice["labelSelector"]["matchLabels"])
    for selector in selectors:
        assert selector
        assert selector.items() <= labels.items()
    (rule,) = found["Ingress"]["spec"]["rules"]
    (path,) = rule["http"]["paths"]
    (port,) = found["Service"]["spec"]["ports"]
    backend = {"name": found["Service"]["metadata"]["name"], "port": {"name": port["name"]}}
    assert path["backend"]["service"] == backend
    scaled = found["HorizontalPodAutoscaler"]["spec"]
    assert scaled["scaleTargetRef"] == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "name": found["Deployment"]["metadata"]["name"],
    }
    # the autoscaler and the Deployment would undo each other's number
    assert "replicas" not in spec
    assert scaled["minReplicas"] >= 2
    notes = {
        **found["Service"]["metadata"]["annotations"],
        **found["Ingress"]["metadata"]["annotations"],
    }
    assert notes["traefik.ingress.kubernetes.io/service.sticky.cookie"] == "true"
    assert notes["nginx.ingress.kubernetes.io/affinity"] == "cookie"
    assert all(isinstance(value, str) for value in notes.values())


def test_kubernetes_container():
    pod = kinds()["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    user, group = said("USER")[-1].split(":")
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["runAsUser"] == int(user)
    assert pod["securityContext"]["runAsGroup"] == int(group)
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert not container["securityContext"]["allowPrivilegeEscalation"]
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    # the one place that is written
    (mount,) = container["volumeMounts"]
    assert mount["mountPath"] == settings()["HOME"]
    assert [volume["name"] for volume in pod["volumes"]] == [mount["name"]]
    for amount in ("requests", "limits"):
        assert "memory" in container["resources"][amount]


def test_kubernetes_network():
    """In come the ingress controller's requests for the app, out goes what asks the database."""
    found = kinds()
    policy = found["NetworkPolicy"]["spec"]
    assert sorted(policy["policyTypes"]) == ["Egress", "Ingress"]
    ports = [[port["port"] for port in rule["ports"]] for rule in policy["egress"]]
    assert ports == [[5432], [53, 53]]
    assert all(rule["to"][0]["namespaceSelector"]["matchLabels"] for rule in policy["egress"])
    (rule,) = policy["ingress"]
    (source,) = rule["from"]
    assert source["namespaceSelector"]["matchLabels"]
    (port,) = found["Service"]["spec"]["ports"]
    assert rule["ports"] == [{"port": port["targetPort"]}]


def test_replicas_share_their_classes():
    """Where a telephone's request goes to any replica, each needs the same database."""
    container = kinds()["Deployment"]["spec"]["template"]["spec"]["containers"][0]
    (env,) = [one for one in container["env"] if one["name"] == DATABASE]
    assert env["valueFrom"]["secretKeyRef"]["optional"]
    services = compose()["services"]
    subnet = compose()["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    for name, one in services.items():
        if name.startswith("replica-"):
            told = dict(e.split("=", 1) for e in one["environment"] if "=" in e)
            url = url_of(told[DATABASE])
            assert (url.drivername, url.host) == ("postgresql+psycopg", "database")
            assert url.username == services["database"]["environment"]["POSTGRES_USER"]
            assert told[PROXIES] == subnet
    readme = (DEPLOY / "README.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in readme for name in (DATABASE, DAYS))


def test_the_proxy_is_named_wherever_there_is_one():
    """Else all visitors are one to the limits."""
    container = kinds()["Deployment"]["spec"]["template"]["spec"]["containers"][0]
    (value,) = [one["value"] for one in container["env"] if one["name"] == PROXIES]
    assert ipaddress.ip_network(value).is_private
    # not all there are: whoever is trusted can take any address
    assert ipaddress.ip_network(value).prefixlen >= 16
    text = (DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8")
    before = text.partition(PROXIES)[0].splitlines()
    assert any("# change:" in line for line in before[-4:])
    readme = (DEPLOY / "README.md").read_text(encoding="utf-8")
    assert f"| `{PROXIES}` |" in readme
    (by_hand,) = [line for line in readme.splitlines() if "streamlit run app.py" in line]
    assert by_hand.startswith(f"{PROXIES}=")


def test_requests_of_classes_come_through():
    """To any replica, as long as a stream is silent, and with all of a class's questions."""
    conf = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    blocks = re.findall(r"location (\S+ )?(\S+) \{\n(.*?)\n        \}", conf, re.S)
    for path in ("/class", "/class/ABCD/vote", "/class/ABCD/events", "/prefix/class/ABCD/join"):
        # of several patterns nginx takes the first
        found = next(body for kind, to, body in blocks if kind == "~ " and re.search(to, path))
        assert "proxy_pass http://anywhere;" in found, path
        if path == "/class":
            assert f"client_max_body_size {MOST_CLASS // 1024}k;" in found
    assert int(re.search(r"client_max_body_size (\d+)k;", conf)[1]) * 1024 >= MOST_BODY
    assert int(re.search(r"proxy_read_timeout (\d+)s;", conf)[1]) > 2 * HEARTBEAT
    ingress = kinds()["Ingress"]
    (path,) = ingress["spec"]["rules"][0]["http"]["paths"]
    assert (path["path"], path["pathType"]) == ("/", "Prefix")
    notes = ingress["metadata"]["annotations"]
    assert int(notes["nginx.ingress.kubernetes.io/proxy-read-timeout"]) > 2 * HEARTBEAT
    most = notes["nginx.ingress.kubernetes.io/proxy-body-size"]
    assert megabytes(most) * 1024**2 >= MOST_CLASS


def test_the_public_name_is_one_everywhere():
    found = kinds()
    container = found["Deployment"]["spec"]["template"]["spec"]["containers"][0]
    (rule,) = found["Ingress"]["spec"]["rules"]
    env = {one["name"]: one["value"] for one in container["env"] if "value" in one}
    assert env.pop(PROXIES)
    assert env == {"STREAMLIT_SERVER_ALLOWED_HOSTS": rule["host"]}
    assert [tls["hosts"] for tls in found["Ingress"]["spec"]["tls"]] == [[rule["host"]]]
    services = compose()["services"].items()
    replicas = [one for name, one in services if name.startswith("replica-")]
    assert len(replicas) == len(addresses())
    assert all(list(env) == [e for e in one["environment"] if "=" not in e] for one in replicas)
    # nobody puts another name in its place
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert re.findall(r"proxy_set_header Host (\S+);", text) == ["$http_host"]
    assert "upstream-vhost" not in str(found["Ingress"]["metadata"]["annotations"])


def test_images_have_whole_tags():
    """A name without one, or with a part of one, is another image tomorrow."""
    (default,) = [rest for rest in said("ARG") if rest.startswith("PYTHON_IMAGE=")]
    assert re.fullmatch(r"PYTHON_IMAGE=python:3\.\d+\.\d+-slim-[a-z]+", default)
    services = dict(compose()["services"])
    proxy = services.pop("nginx")["image"]
    assert re.fullmatch(r"\$\{NGINX_IMAGE:-nginx:\d+\.\d+\.\d+-[a-z]+\}", proxy)
    database = services.pop("database")["image"]
    assert re.fullmatch(r"\$\{POSTGRES_IMAGE:-postgres:\d+\.\d+-[a-z]+\}", database)
    assert services["replica-1"]["build"]["args"] == ["PYTHON_IMAGE"]
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    tag = f"dmlviz:{version['project']['version']}"
    assert {one["image"] for one in services.values()} == {tag}
    (container,) = kinds()["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["image"] == tag
    assert f"-t {tag} " in (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def test_the_readme_says_the_limits():
    conf = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    told = (DEPLOY / "README.md").read_text(encoding="utf-8")
    rates = dict(re.findall(r"limit_req_zone \S+ zone=(\w+):\S+ rate=(\d+)r/s;", conf))
    bursts = dict(re.findall(r"limit_req zone=(\w+) burst=(\d+) nodelay;", conf))
    assert set(rates) == set(bursts)
    for zone, rate in rates.items():
        assert f" | {bursts[zone]} at once, then {rate} a second | 429 |" in told
    counts = set(re.findall(r"limit_conn (\w+) (\d+);", conf))
    assert {zone for zone, _count in counts} == {"connections", "tabs", "uploads_at_once"}
    for zone, number in counts:
        assert f" | {int(number):,} | 429 |" in told, zone
    sizes = re.findall(r"client_max_body_size (\d+)(\w);", conf)
    assert [f" | {n} {unit.replace('m', 'M')}B | 413 |" in told for n, unit in sizes] == [True] * 3


def test_the_readme_names_the_images():
    told = (DEPLOY / "README.md").read_text(encoding="utf-8")
    (python,) = [rest for rest in said("ARG") if rest.startswith("PYTHON_IMAGE=")]
    services = compose()["services"]
    nginx = services["nginx"]["image"].removeprefix("${NGINX_IMAGE:-").rstrip("}")
    postgres = services["database"]["image"].removeprefix("${POSTGRES_IMAGE:-").rstrip("}")
    assert f"inspect {postgres}\n" in told
    assert f"inspect {python.partition('=')[2]}\n" in told
    assert f"inspect {nginx}\n" in told
    assert f"-t {compose()['services']['replica-1']['image']} " in told


def test_no_registry_and_no_address_of_the_world():
    for path in DEPLOY.iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\b(ghcr|quay|gcr|docker)\.(io|com)\b", text), path
