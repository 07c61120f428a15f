"""As much of JSON Schema as openapi.json uses, checked strictly: an unknown keyword is an error."""

from __future__ import annotations

from typing import Any

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "null": type(None),
}
KNOWN = {
    "$ref", "type", "required", "properties", "additionalProperties", "items", "enum", "anyOf", "description",
    "pattern", "format",
}  # fmt: skip


def check(value: Any, schema: dict[str, Any], document: dict[str, Any], where: str = "body") -> None:
    """Raise AssertionError where ``value`` is not what ``schema`` says."""
    assert not set(schema) - KNOWN, f"{where}: {set(schema) - KNOWN} is not understood"
    if "$ref" in schema:
        check(value, document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], document, where)
        return
    if "anyOf" in schema:
        assert any(fits(value, one, document) for one in schema["anyOf"]), f"{where}: fits none of them"
    if "enum" in schema:
        assert value in schema["enum"], f"{where}: {value!r} is none of {schema['enum']}"
    kinds = schema.get("type")
    if kinds is not None:
        names = kinds if isinstance(kinds, list) else [kinds]
        right = any(isinstance(value, TYPES[name]) for name in names)
        assert right and not (isinstance(value, bool) and "boolean" not in names), f"{where}: {value!r} is no {kinds}"
    if isinstance(value, dict):
        missing = set(schema.get("required", ())) - set(value)
        assert not missing, f"{where}: {missing} missing"
        extra = schema.get("additionalProperties", True)
        for key, item in value.items():
            known = schema.get("properties", {}).get(key)
            assert known is not None or extra is not False, f"{where}: {key} is not written down"
            check(item, known or (extra if isinstance(extra, dict) else {}), document, f"{where}.{key}")
    if isinstance(value, list):
        for index, item in enumerate(value):
            check(item, schema.get("items", {}), document, f"{where}[{index}]")


def fits(value: Any, schema: dict[str, Any], document: dict[str, Any]) -> bool:
    """Whether ``check`` lets it pass."""
    try:
        check(value, schema, document)
    except AssertionError:
        return False
    return True
