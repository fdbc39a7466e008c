/** Sums of decimal text, exact: quantities are added without a binary fraction in between. */

function parts(text: string): readonly [digits: bigint, scale: number] {
  const [whole = '0', fraction = ''] = text.split('.');
  return [BigInt(whole + fraction), fraction.length];
}

export function add(a: string, b: string): string {
  const [x, xScale] = parts(a);
  const [y, yScale] = parts(b);
  const scale = Math.max(xScale, yScale);
  const sum = x * 10n ** BigInt(scale - xScale) + y * 10n ** BigInt(scale - yScale);
  if (scale === 0) return String(sum);
  const sign = sum < 0n ? '-' : '';
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  return `${sign}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}
