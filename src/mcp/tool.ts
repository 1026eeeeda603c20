import { allows, type Caller } from '../callers/caller.ts';
import type { Route } from '../routes/define-route.ts';
import type { ToolDefinition } from './tool-definition.ts';
import { createToolInputs, type ToolInputs } from './tool-inputs.ts';
import { createToolOutput, type ToolOutput } from './tool-output.ts';

/** A definition with its route. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly route: Route;
  /** Whether it trades: listed only where trading is switched on, and for keys that may trade. */
  readonly trades: boolean;
  readonly inputs: ToolInputs;
  readonly output: ToolOutput;
}

/** Throws where a definition names a route that there is not. */
export function createTools(
  definitions: readonly ToolDefinition[],
  routes: readonly Route[],
): readonly Tool[] {
  return definitions.map((definition) => {
    const route = routes.find(({ method, path }) => `${method} ${path}` === definition.route);
    if (route === undefined) throw new Error(`the tool ${definition.name} has no route`);
    return {
      definition,
      route,
      trades: route.scope !== 'none' && !allows('read', route.scope),
      inputs: createToolInputs(definition, route),
      output: createToolOutput(definition, route),
    };
  });
}

/** Why a caller may not use a tool; null where it may. */
export function withheld(tool: Tool, caller: Caller, trading: boolean): string | null {
  const { scope } = tool.route;
  if (tool.trades && !trading) {
    return 'it trades, and the setting APP_MCP_TRADING is not true: set it, and start the gateway again';
  }
  if (scope === 'none' || allows(caller.scope, scope)) return null;
  return `it needs a key of scope ${scope}, and this key has scope ${caller.scope}: use another key`;
}
