/** Code for a cell that runs a statement in a timer once the cell is over, however slow the machine is. */
export function onceOver(statement: string): string {
  // A cell is over one turn of the event loop after its last statement.
  return `setImmediate(() => setImmediate(() => setTimeout(() => { ${statement} }, 1)));`;
}
