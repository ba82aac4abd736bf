const HIDDEN = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'err'])

/** Control characters of a mail server could move the cursor and rewrite what an operator reads. */
const CONTROLS = /[^\P{Cc}\n]/gu

export function prettyLine(line: string) {
  const { level, time, msg, err, ...members } = JSON.parse(line)
  const told = Object.entries(members)
    .filter(([name]) => !HIDDEN.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
  const text = [time, level.padEnd(5), msg, ...told].join(' ').replaceAll('\n', ' ')
  const stack = err ? `\n${err.stack ?? err.message}` : ''
  return `${(text + stack).replaceAll(CONTROLS, '�')}\n`
}
