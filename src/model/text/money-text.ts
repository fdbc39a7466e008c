/** Amounts of money for people: two decimals from 1 up, three digits below, as a result in BTC needs them. */

/** `1234.50`, `0.13`, `0.000123`. */
export function worthText(value: number): string {
  if (Math.abs(value) < 1e-12) return '0.00';
  return value.toFixed(placesOf(value)).replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** Decimals of an amount: 2 from 1 up, three digits below. */
export function placesOf(value: number): number {
  const size = Math.abs(value);
  return size > 0 && size < 1 ? Math.min(12, 2 - Math.floor(Math.log10(size))) : 2;
}

/** As `worthText`, in groups: `1,234.50`. */
export function moneyText(value: number): string {
  return worthText(value).replace(/\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ','));
}
