/**
 * Remembers the last input and its result, and does not compute the result again for the same
 * input. Inputs are compared by `===`, so `work` must depend on its input alone. Errors are not
 * remembered.
 */
export function lastOnly<Input, Output>(work: (input: Input) => Output): (input: Input) => Output {
  let last: { readonly input: Input; readonly output: Output } | null = null;
  return (input) => {
    if (last === null || last.input !== input) last = { input, output: work(input) };
    return last.output;
  };
}
