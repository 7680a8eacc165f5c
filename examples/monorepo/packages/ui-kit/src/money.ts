/** An amount in the smallest unit of its currency; never a fraction. */
export interface Money {
  /** 1234 is 12.34 in a currency with two digits. */
  readonly amount: number;
  /** ISO 4217, in capitals. */
  readonly currency: string;
}

/** How many digits {@link format} shows where it is not told otherwise. */
export const DEFAULT_DIGITS = 2;

/**
 * An amount as people write it.
 *
 * @param locale - A BCP 47 tag; without one, the page's.
 * @param digits - Digits of the currency's smallest unit.
 * @throws {@link RangeError} The currency is no ISO 4217 code.
 */
export function format(money: Money, locale?: string, digits: number = DEFAULT_DIGITS): string {
  const value = money.amount / 10 ** digits;
  return new Intl.NumberFormat(locale, { style: "currency", currency: money.currency }).format(value);
}

/**
 * The sum of amounts.
 *
 * @throws {@link RangeError} They are not all of one currency, or there are none.
 */
export function sum(...amounts: readonly [Money, ...Money[]]): Money {
  const [first, ...rest] = amounts;
  return rest.reduce((total, each) => {
    if (each.currency !== total.currency) {
      throw new RangeError(`${each.currency} cannot be added to ${total.currency}`);
    }
    return { ...total, amount: total.amount + each.amount };
  }, first);
}
