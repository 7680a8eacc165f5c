import pytest

from shared_auth import Access, Scope, parse_scopes
from shared_auth.scopes import KNOWN_SCOPES, covers_all


@pytest.mark.parametrize(
    ("held", "required", "expected"),
    [
        ("orders:read", "orders:read", True),
        ("orders:write", "orders:read", False),
        ("orders:manage", "orders:read+approve", True),
        ("orders:read", "orders.refunds:read", False),
        ("orders.*:read", "orders.refunds:read", True),
        ("orders.*:read", "orders:read", False),
        ("order.*:read", "orders.x:read", False),
        ("*:read", "orders.refunds:read", True),
    ],
)
def test_covers(held: str, required: str, expected: bool) -> None:
    assert Scope.parse(held).covers(Scope.parse(required)) is expected


@pytest.mark.parametrize(
    "text",
    ["", "orders", "orders:", "orders:fly", "orders:READ", "Orders:read", "a..b:read", "**:read"],
)
def test_bad_scopes(text: str) -> None:
    with pytest.raises(ValueError):
        Scope.parse(text)


def test_parse_merges_and_mixes_forms() -> None:
    scopes = parse_scopes(["a:read", {"resource": "a", "access": ["write"], "label": "A"}])
    assert scopes == {Scope("a", Access.READ | Access.WRITE)}
    assert parse_scopes("a:read  b:manage") == {
        Scope("a", Access.READ),
        Scope("b", Access.MANAGE),
    }


def test_one_bad_scope_refuses_all() -> None:
    with pytest.raises(ValueError):
        parse_scopes("a:read nonsense")


def test_access_may_come_from_different_scopes() -> None:
    held = parse_scopes("*:read orders:write")
    assert covers_all(held, [Scope.parse("orders:read+write")])
    assert not covers_all(held, [Scope.parse("stock:read+write")])


@pytest.mark.parametrize("text", KNOWN_SCOPES)
def test_known_scopes_are_spelt_as_they_print(text: str) -> None:
    assert str(Scope.parse(text)) == text
