interface Operation {
  readonly operationId?: string;
  readonly responses?: Record<string, object>;
}

interface Document {
  readonly paths?: Readonly<Record<string, object>>;
  components?: { responses?: Record<string, object> };
}

/**
 * Writes each problem response that several operations have into the components once, and references
 * in its places: they are most of the document otherwise. A response of one code has the name of its
 * code, another one that of the first operation and its status. Returns the document.
 */
export function shareResponses<T extends object>(document: T): T {
  const { paths = {}, components = {} }: Document = document;
  const places = new Map<string, { name: string; at: [Record<string, object>, string][] }>();
  for (const item of Object.values(paths)) {
    for (const { operationId = '', responses = {} } of Object.values<Operation>({ ...item })) {
      for (const [status, response] of Object.entries(responses)) {
        if (!(Number(status) >= 400)) continue;
        const text = JSON.stringify(response);
        const found = places.get(text) ?? { name: nameOf(response, operationId, status), at: [] };
        found.at.push([responses, status]);
        places.set(text, found);
      }
    }
  }
  const shared: Record<string, object> = {};
  for (const [text, { name, at }] of places) {
    if (at.length === 1) continue;
    const free = name in shared ? `${name}_${Object.keys(shared).length}` : name;
    shared[free] = JSON.parse(text);
    for (const [responses, status] of at) {
      responses[status] = { $ref: `#/components/responses/${free}` };
    }
  }
  return Object.assign(document, { components: { ...components, responses: shared } });
}

interface ProblemResponse {
  readonly content?: Readonly<Record<string, { readonly examples?: object }>>;
}

function nameOf(response: ProblemResponse, operationId: string, status: string): string {
  const [media] = Object.values(response.content ?? {});
  const [code = '', ...others] = Object.keys(media?.examples ?? {});
  return pascal(others.length === 0 ? code : `${operationId}_${status}`);
}

function pascal(text: string): string {
  return text.replace(/(?:^|_)(\w)/g, (_all, first: string) => first.toUpperCase());
}
