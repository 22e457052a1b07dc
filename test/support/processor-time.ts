/** The processor time in ms that this process has taken. What other processes do beside it does not count. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
