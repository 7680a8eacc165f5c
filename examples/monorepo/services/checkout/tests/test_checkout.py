import logging

import pytest

from checkout import Authoriser, CheckoutService, Denied, Line, OrderBook, OrderError, Status
from shared_auth.testing import TEST_KEYS, FakeClock, mint

LINES = [Line("mug", 2, 850), Line("tea", 1, 400)]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def service(clock: FakeClock) -> CheckoutService:
    return CheckoutService(Authoriser(TEST_KEYS, now=clock.now), OrderBook())


def bearer(subject: str = "ann", scopes: str = "orders:read+write", aud: str = "checkout") -> str:
    return f"Bearer {mint(subject, audience=aud, scopes=scopes)}"


def test_place_and_show(service: CheckoutService) -> None:
    order = service.place(bearer(), LINES)
    assert (order.customer, order.total) == ("ann", 2100)
    assert service.show(bearer(), order.number) == order


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer  ", "Basic abc"])
def test_no_token(service: CheckoutService, header: str | None) -> None:
    with pytest.raises(Denied) as caught:
        service.place(header, LINES)
    assert (caught.value.status, caught.value.code) == (401, "token_missing")


def test_scheme_is_case_insensitive(service: CheckoutService) -> None:
    assert service.place(bearer().replace("Bearer", "bearer"), LINES).number == 1


def test_token_for_another_service_is_refused_and_logged(
    service: CheckoutService, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), pytest.raises(Denied) as caught:
        service.place(bearer(aud="warehouse"), LINES)
    assert (caught.value.status, caught.value.code) == (401, "token_wrong_audience")
    assert "warehouse" in caplog.text


def test_expired_token(service: CheckoutService, clock: FakeClock) -> None:
    header = bearer()
    clock.advance(seconds=631)
    with pytest.raises(Denied, match="401 token_expired"):
        service.place(header, LINES)


def test_forged_token_is_not_told_why(service: CheckoutService) -> None:
    head, _, signature = bearer().split(".")
    payload = bearer("mallory").split(".")[1]
    with pytest.raises(Denied, match="401 token_refused"):
        service.place(f"{head}.{payload}.{signature}", LINES)


def test_unknown_key(service: CheckoutService) -> None:
    token = mint(audience="checkout", header={"kid": "gone"})
    with pytest.raises(Denied, match="401 token_refused"):
        service.place(f"Bearer {token}", LINES)


def test_missing_scope(service: CheckoutService) -> None:
    with pytest.raises(Denied, match="403 missing_scope"):
        service.place(bearer(scopes="orders:read"), LINES)


def test_other_peoples_orders_look_absent(service: CheckoutService) -> None:
    order = service.place(bearer(), LINES)
    with pytest.raises(OrderError, match="no order 1"):
        service.show(bearer("bob"), order.number)
    assert service.show(bearer("support", "orders:manage"), order.number) == order


def test_refund_needs_two_people(service: CheckoutService) -> None:
    number = service.place(bearer(), LINES).number
    service.request_refund(bearer("cat", "orders:manage orders.refunds:write"), number)
    for subject in ("ann", "cat"):
        with pytest.raises(Denied, match="403 own_refund"):
            service.approve_refund(bearer(subject, "orders.*:manage"), number)
    done = service.approve_refund(bearer("dan", "orders.refunds:approve"), number)
    assert done.status is Status.REFUNDED


def test_refund_out_of_order(service: CheckoutService) -> None:
    number = service.place(bearer(), LINES).number
    with pytest.raises(OrderError, match="no refund to approve"):
        service.approve_refund(bearer("dan", "orders.refunds:approve"), number)
    service.request_refund(bearer(scopes="orders.refunds:write"), number)
    with pytest.raises(OrderError, match="refund_requested"):
        service.request_refund(bearer(scopes="orders.refunds:write"), number)


def test_empty_order(service: CheckoutService) -> None:
    with pytest.raises(OrderError):
        service.place(bearer(), [])
