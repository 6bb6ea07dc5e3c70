/** The levels of logs, from the least to the gravest. Pure. */

export const logLevels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;
export type LogLevel = (typeof logLevels)[number];

export function isAtLeast(level: LogLevel, least: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(least);
}
