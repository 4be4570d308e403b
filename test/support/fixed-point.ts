/** Fixed point with 50 decimals: an arithmetic that shares nothing with floating point. */
const ONE = 10n ** 50n;

const times = (left: bigint, right: bigint): bigint => (left * right) / ONE;

/** Natural logarithm by the series of artanh, after halving the number into 1 to 2. */
function ln(value: bigint): bigint {
  let [rest, halvings] = [value, 0n];
  while (rest >= 2n * ONE) [rest, halvings] = [rest / 2n, halvings + 1n];
  while (rest < ONE) [rest, halvings] = [rest * 2n, halvings - 1n];
  const artanh = (part: bigint): bigint => {
    let sum = 0n;
    const square = times(part, part);
    for (let [power, odd] = [part, 1n]; power !== 0n; [power, odd] = [times(power, square), odd + 2n])
      sum += power / odd;
    return 2n * sum;
  };
  return artanh(((rest - ONE) * ONE) / (rest + ONE)) + halvings * artanh(ONE / 3n);
}

/** Exponential by its series, after halving the exponent. */
function exp(exponent: bigint): bigint {
  const halvings = 40n;
  let sum = 0n;
  for (let [term, n] = [ONE, 1n]; term !== 0n; [term, n] = [times(term, exponent >> halvings) / n, n + 1n]) sum += term;
  for (let left = halvings; left > 0n; left -= 1n) sum = times(sum, sum);
  return sum;
}

/** (last / first) ^ (31536000 / seconds) - 1 in percent, exact to more decimals than are published. */
export function yearlyPercentExactly(first: bigint, last: bigint, seconds: number): number {
  const exponent = (ln((last * ONE) / first) * 31_536_000_000n) / BigInt(Math.round(seconds * 1_000));
  return Number(((exp(exponent) - ONE) * 10n ** 12n * 100n) / ONE) / 1e12;
}
