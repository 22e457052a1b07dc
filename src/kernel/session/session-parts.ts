import type { Outlet } from '../protocol/message.js';
import type { CellTypes } from './cell-types.js';
import type { CommDesk } from './comm-desk.js';
import type { History } from './history.js';
import type { InputDesk } from './input-desk.js';
import type { RunnerKeeper } from './runner-keeper.js';

/** What the handling of a session's requests needs. */
export interface SessionParts {
  outlet: Outlet;
  runner: RunnerKeeper;
  types: CellTypes;
  history: History;
  input: InputDesk;
  comms: CommDesk;
}
