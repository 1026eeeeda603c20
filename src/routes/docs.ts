import { z } from 'zod';
import { defineRoute, html, json, type Route } from './define-route.ts';
import { escapeHtml, htmlPage } from './html-page.ts';
import type { OpenApiDocument } from './openapi.ts';

export function docsRoutes(document: () => Promise<OpenApiDocument>): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/openapi.json',
      scope: 'none',
      operationId: 'getDocument',
      tag: 'Gateway',
      summary: 'This interface as an OpenAPI 3.1 document',
      problems: [],
      replies: { 200: { description: 'The document', schema: z.looseObject({}) } },
      handler: async () => json(200, await document()),
    }),
    defineRoute({
      method: 'GET',
      path: '/docs',
      scope: 'none',
      operationId: 'getDocumentPage',
      tag: 'Gateway',
      summary: 'This interface as a page',
      problems: [],
      replies: { 200: { description: 'A page', schema: z.string(), contentType: 'text/html' } },
      handler: async () => {
        const made = await document();
        return html(200, (nonce) => htmlPage('altbroker-gateway', pageOf(made), nonce));
      },
    }),
  ];
}

interface Operation {
  readonly summary?: string;
  readonly 'x-scope'?: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: unknown;
}

/** As the document writes them; the methods of `define-route.ts`. */
const METHODS = ['get', 'post', 'patch', 'delete'] as const;

function pageOf(document: OpenApiDocument): string {
  const rows = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [rowOf(method, path, operation)];
    }),
  );
  return (
    '<p>Errors are problem documents (RFC 9457). The whole interface with its schemas: ' +
    '<a href="/openapi.json">/openapi.json</a>.</p>\n' +
    '<table>\n<tr><th>Operation</th><th>What it does</th><th>Takes</th><th>Key</th></tr>\n' +
    `${rows.join('\n')}\n</table>`
  );
}

function rowOf(method: string, path: string, operation: Operation): string {
  const takes = (operation.parameters ?? []).flatMap((each) =>
    'name' in each ? [String(each.name)] : [],
  );
  if (operation.requestBody !== undefined) takes.push('a body');
  const cells = [
    `<code>${escapeHtml(`${method.toUpperCase()} ${path}`)}</code>`,
    escapeHtml(operation.summary ?? ''),
    escapeHtml(takes.join(', ')),
    escapeHtml(operation['x-scope'] ?? ''),
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}
