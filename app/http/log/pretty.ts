const HIDDEN = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'err'])

export function prettyLine(line: string) {
  const { level, time, msg, err, ...members } = JSON.parse(line)
  const told = Object.entries(members)
    .filter(([name]) => !HIDDEN.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
  const stack = err ? `\n${err.stack ?? err.message}` : ''
  return `${[time, level.padEnd(5), msg, ...told].join(' ')}${stack}\n`
}
