import type { Internals } from './danfo-internals.js';
import type { DataFrameConstructor } from './data-frame.js';
import { mendAssignment } from './mend-assignment.js';
import { mendComputing } from './mend-computing.js';
import { mendConstruction } from './mend-construction.js';
import { mendConversion } from './mend-conversion.js';
import { mendDisplay } from './mend-display.js';
import { mendSelection } from './mend-selection.js';
import { mendSorting } from './mend-sorting.js';

/**
 * Mends danfo's DataFrame class in place, for frames of every origin, where danfo silently gives wrong rows or values,
 * changes what it should copy, or refuses valid input. Each part says what it mends.
 */
export function mendFrame(frameClass: DataFrameConstructor): DataFrameConstructor {
  const prototype = frameClass.prototype as unknown as Internals;
  mendConstruction(prototype);
  mendAssignment(prototype);
  mendComputing(prototype);
  mendConversion(prototype);
  mendSorting(prototype);
  mendSelection(prototype);
  mendDisplay(prototype);
  return frameClass;
}
