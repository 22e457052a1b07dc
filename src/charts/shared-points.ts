/** The number of charts that share the picture being made. */
let parts = 1;

/** Makes a chart that shares its picture with others, so that together they draw no more points than one chart. */
export function inParts<Made>(count: number, make: () => Made): Made {
  const before = parts;
  parts = before * Math.max(1, count);
  try {
    return make();
  } finally {
    parts = before;
  }
}

/** The most points that a chart may draw, given the most for a chart that stands alone. */
export function shareOf(most: number): number {
  return Math.max(1, Math.floor(most / parts));
}
