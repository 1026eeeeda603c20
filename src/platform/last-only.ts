/**
 * Remembers the last input, and what was made of it: what comes again is not worked out again. Inputs
 * are compared by `===`, so `work` must need nothing but its input; what it throws is not remembered.
 */
export function lastOnly<Input, Output>(work: (input: Input) => Output): (input: Input) => Output {
  let last: { readonly input: Input; readonly output: Output } | null = null;
  return (input) => {
    if (last === null || last.input !== input) last = { input, output: work(input) };
    return last.output;
  };
}
