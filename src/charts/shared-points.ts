/** Charts that are being made to share a picture. */
let parts = 1;

/** Makes a chart that shares its picture with others, so that all of them together are no heavier than one. */
export function inParts<Made>(count: number, make: () => Made): Made {
  const before = parts;
  parts = before * Math.max(1, count);
  try {
    return make();
  } finally {
    parts = before;
  }
}

/** How many points a chart may draw, given what it may draw where it stands alone. */
export function shareOf(most: number): number {
  return Math.max(1, Math.floor(most / parts));
}
