/** The JSON of values that many answers share and nobody changes, once it was written; null before. */
const texts = new WeakMap<object, string | null>();

/** Says that a value does not change any more, so that its JSON need be written only once. */
export function unchanging<T extends object>(value: T): T {
  texts.set(value, null);
  return value;
}

/** As JSON.stringify writes an answer of the API; what is `unchanging` in its data by name is written once for all answers. */
export function textOf(value: unknown): string {
  if (!isByName(value)) return JSON.stringify(value);
  const { status, data, ...rest } = value;
  const named = Object.entries(data).map(
    ([name, each]) => `${JSON.stringify(name)}:${textOfOne(each)}`,
  );
  const more = JSON.stringify(rest);
  const end = more === '{}' ? more.slice(1) : `,${more.slice(1)}`;
  return `{"status":${JSON.stringify(status)},"data":{${named.join(',')}}${end}`;
}

interface ByName {
  readonly status: string;
  readonly data: Readonly<Record<string, object>>;
}

/** Whether it is an answer whose data are values by name, all of which are `unchanging`. */
function isByName(value: unknown): value is ByName {
  if (typeof value !== 'object' || value === null || !('status' in value && 'data' in value))
    return false;
  const { data } = value;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false;
  return Object.values(data).every(
    (each: unknown) => typeof each === 'object' && each !== null && texts.has(each),
  );
}

function textOfOne(value: object): string {
  let text = texts.get(value) ?? null;
  if (text === null) texts.set(value, (text = JSON.stringify(value)));
  return text;
}
