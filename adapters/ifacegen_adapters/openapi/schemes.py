"""Security schemes in a line: what a caller has to send, and where they get it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ifacegen_adapters.openapi.texts import name_text

_URLS = (("authorizationUrl", "authorize"), ("tokenUrl", "token"), ("refreshUrl", "refresh"))


def scheme_type(node: Mapping[str, Any]) -> str:
    """``http bearer (JWT)``, ``apiKey in header X-Key``, ``oauth2 authorizationCode …``."""
    kind = node.get("type")
    if kind == "http":
        form = node.get("bearerFormat")
        return (
            f"http {name_text(node.get('scheme'))}{f' ({name_text(form)})' if isinstance(form, str) else ''}"
        )
    if kind == "apiKey":
        return f"apiKey in {name_text(node.get('in'))} {name_text(node.get('name'))}"
    if kind == "oauth2":
        flows = node.get("flows")
        return f"oauth2 {'; '.join(_flows(flows)) if isinstance(flows, dict) else ''}".strip()
    if kind == "openIdConnect":
        return f"openIdConnect {name_text(node.get('openIdConnectUrl'))}"
    return "mutualTLS" if kind == "mutualTLS" else "unknown"


def _flows(flows: Mapping[str, Any]) -> Iterator[str]:
    for name, flow in flows.items():
        if not isinstance(flow, dict):
            continue
        urls = [f"{word} {name_text(flow[key])}" for key, word in _URLS if isinstance(flow.get(key), str)]
        scopes = flow.get("scopes")
        names = ", ".join(name_text(each) for each in scopes) if isinstance(scopes, dict) else ""
        where = f" ({', '.join(urls)})" if urls else ""
        yield f"{name_text(name)}{where}{f' [{names}]' if names else ''}"


_HTTP = re.compile(r"http (\S+)(?: \((.*)\))?")
_API_KEY = re.compile(r"apiKey in (\S+) (.*)")
_FLOW = re.compile(r"(\S+)(?: \(([^()]*)\))?(?: \[(.*)\])?")


def scheme_of(text: str) -> dict[str, Any]:
    """The scheme that a line was made of."""
    if match := _HTTP.fullmatch(text):
        form = {"bearerFormat": match.group(2)} if match.group(2) else {}
        return {"type": "http", "scheme": match.group(1), **form}
    if match := _API_KEY.fullmatch(text):
        return {"type": "apiKey", "in": match.group(1), "name": match.group(2)}
    if text.startswith("oauth2"):
        flows = [match for each in text[7:].split("; ") if (match := _FLOW.fullmatch(each))]
        return {"type": "oauth2", "flows": {match.group(1): _flow(match) for match in flows}}
    if text.startswith("openIdConnect "):
        return {"type": "openIdConnect", "openIdConnectUrl": text.partition(" ")[2]}
    return {"type": "mutualTLS"}


def _flow(match: re.Match[str]) -> dict[str, Any]:
    urls = dict(each.split(" ", 1) for each in (match.group(2) or "").split(", ") if " " in each)
    scopes = {name: "" for name in (match.group(3) or "").split(", ") if name}
    return {**{key: urls[word] for key, word in _URLS if word in urls}, "scopes": scopes}
