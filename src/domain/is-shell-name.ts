/** Whether a POSIX shell takes `name` as an environment variable (IEEE Std 1003.1, 3.216 "Name"). */
export const isShellName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
