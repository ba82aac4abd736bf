import type { ExportedEntry, ExportedLists } from './export.ts'

/** An empty list is left out. */
export async function toYaml(lists: ExportedLists) {
  const { stringify } = await import('yaml')
  const write = ({ fields, comment, isLeftOut }: ExportedEntry) => {
    const text = stringify([fields], { lineWidth: 0 })
    const shown = indent(isLeftOut ? text.replaceAll(/^/gm, '# ').replace(/# $/, '') : text)
    return comment ? shown + commented(comment) : shown
  }
  const parts = Object.entries(lists)
    .filter(([, entries]) => entries.length > 0)
    .map(([name, entries]) => `${name}:\n${entries.map(write).join('')}`)
  return parts.length > 0 ? parts.join('\n') : '{}\n'
}

function indent(text: string) {
  return text.replaceAll(/^(?=.)/gm, '  ')
}

function commented(text: string) {
  return text
    .split('\n')
    .map((line) => `    # ${line}\n`)
    .join('')
}
