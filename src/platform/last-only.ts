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

/**
 * Remembers the result for each object, for as long as somebody has the object: `work` must depend on
 * it alone, and nobody may change it. Errors, and the results for what is no object, are not remembered.
 */
export function oncePerObject<Output>(
  work: (input: unknown) => Output,
): (input: unknown) => Output {
  const outputs = new WeakMap<object, { readonly output: Output }>();
  return (input) => {
    if (typeof input !== 'object' || input === null) return work(input);
    let known = outputs.get(input);
    if (!known) outputs.set(input, (known = { output: work(input) }));
    return known.output;
  };
}
