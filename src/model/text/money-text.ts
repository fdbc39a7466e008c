/** Amounts of money for people: two decimals from 1 up, three digits below, as a result in BTC needs them. */

/** `1234.50`, `0.13`, `0.000123`. */
export function worthText(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size === 0 || size >= 1) return value.toFixed(2);
  return value.toFixed(Math.min(12, 2 - Math.floor(Math.log10(size)))).replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** As `worthText`, in groups: `1,234.50`. */
export function moneyText(value: number): string {
  return worthText(value).replace(/\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ','));
}
