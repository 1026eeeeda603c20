import { isOpenCode, type ProblemCode } from '../domain/problem.ts';
import { LOGIN_REFUSALS } from '../session/session.ts';
import { problemsOf } from './declared-problems.ts';
import type { Route } from './define-route.ts';
import { type HeaderName, headersOf, PAGE, type Tag } from './document-parts.ts';
import { PROBLEM_TYPE, problemOf, statusOf, titleOf } from './problems.ts';

/** The problems of a route in the OpenAPI document, by status. */

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const REQUEST_ID = '0193576c-2f00-7000-8000-000000000000';
const texts = { type: 'array' as const, items: { type: 'string' as const } };

const objectOfTexts = (fields: Readonly<Record<string, string>>) => ({
  type: 'object' as const,
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, description]) => [
      name,
      { type: 'string' as const, description },
    ]),
  ),
  required: Object.keys(fields),
});

/** What a problem has besides the members of every problem. */
type Members = Readonly<Record<string, object>>;
const MEMBERS: Partial<Record<ProblemCode, Members>> = {
  ambiguous_instrument: {
    candidates: {
      description: 'The instruments that have the symbol: name one of them',
      type: 'array',
      items: objectOfTexts({
        instrument: 'The name to send, as in NSE:INFY',
        exchange: 'Exchange and segment in one word: NSE, NFO, …',
        segment: 'EQUITY, DERIVATIVE or INDEX',
        displayName: 'The name of the company or the contract, for people',
      }),
    },
  },
  exit_running: { exit: { ...ref('Exit'), description: 'The exit that is under way' } },
  login_refused: {
    refusal: {
      ...{ type: 'string', enum: LOGIN_REFUSALS },
      description: 'Which check of the login has failed',
    },
  },
  recovering: {
    ready: { type: 'boolean', const: false, description: 'Orders are not taken yet' },
    reasons: { ...texts, description: 'Why the gateway is not ready; for people' },
    missing: {
      type: 'array',
      items: ref('Missing'),
      description: 'Each part that does not work now',
    },
    notices: { ...texts, description: 'What works only in part; for people' },
  },
};

/** Codes whose answers show the order that is concerned, where the request is about one. */
const WITH_ORDER: ReadonlySet<ProblemCode> = new Set([
  'order_refused',
  'order_not_sent',
  'idempotency_conflict',
  'no_broker',
]);

const WITH_TRIGGER: ReadonlySet<ProblemCode> = new Set([
  'order_refused',
  'change_refused',
  'order_not_sent',
]);
const TRIGGER_MEMBER = { ...ref('Trigger'), description: 'The trigger as it now stands' };

const EXIT_MEMBER = {
  ...ref('Exit'),
  description: 'The exit that the key has begun, where there is one',
};

/** An order may have the key of a request of each of these. */
const KEYED: ReadonlySet<Tag> = new Set(['Orders', 'Triggers', 'Exits']);

function membersOf(code: ProblemCode, { tag, method }: Pick<Route, 'tag' | 'method'>): Members {
  const isOfOrder = KEYED.has(tag) && method !== 'GET' && WITH_ORDER.has(code);
  const order = {
    ...ref('Order'),
    description: 'The order that the key has made, where there is one',
  };
  const isOfExit = tag === 'Exits' && method === 'POST' && code === 'no_broker';
  return {
    ...MEMBERS[code],
    ...(isOfOrder ? { order } : {}),
    ...(isOfExit ? { exit: EXIT_MEMBER } : {}),
    ...(tag === 'Triggers' && WITH_TRIGGER.has(code) ? { trigger: TRIGGER_MEMBER } : {}),
  };
}

const SOMETIMES_LATER: ReadonlySet<number> = new Set([429, 502, 503]);

function headerNames(status: number): readonly HeaderName[] {
  if (status === 401 || status === 403) return ['X-Request-Id', 'WWW-Authenticate'];
  return SOMETIMES_LATER.has(status) ? ['X-Request-Id', 'Retry-After'] : ['X-Request-Id'];
}

const NOTHING_EXECUTED = { type: 'boolean' as const, const: false };

/** The responses of a route that are problems, by status. */
export function problemResponses(route: Route) {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(route)) {
    const status = statusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), responseOf(status, codes, route)]),
  );
}

function responseOf(status: number, codes: readonly ProblemCode[], route: Route) {
  const members = Object.assign({}, ...codes.map((code) => membersOf(code, route)));
  const part = {
    type: 'object' as const,
    properties: {
      status: { type: 'integer' as const, const: status },
      code: { type: 'string' as const, enum: [...codes] },
      ...(codes.some(isOpenCode) ? {} : { mayHaveExecuted: NOTHING_EXECUTED }),
      ...members,
    },
    required: ['status', 'code'],
  };
  return {
    description: codes.map((code) => `${titleOf(code)} (\`${code}\`)`).join('; '),
    headers: headersOf(headerNames(status)),
    content: {
      [PROBLEM_TYPE]: {
        schema: { allOf: [ref('Problem'), part] },
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            {
              summary: titleOf(code),
              value: exampleOf(code, route.method, membersOf(code, route)),
            },
          ]),
        ),
      },
      ...(route.pages ? PAGE : {}),
    },
  };
}

/** A reference in it stands for the example of that schema (document-examples.ts). */
function exampleOf(code: ProblemCode, method: string, members: Members) {
  const detail = `${titleOf(code)}.`;
  const fields = isOpenCode(code) ? { code, detail } : { code, detail };
  const problem = problemOf(fields, { requestId: REQUEST_ID, method });
  return { ...problem, ...members };
}
