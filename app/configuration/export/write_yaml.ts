import type { ExportedEntry, ExportedLists } from './export.ts'

/** An empty list is left out. */
export async function toYaml(lists: ExportedLists) {
  const { stringify } = await import('yaml')
  const write = ({ fields, comment }: ExportedEntry) => {
    const text = indent(stringify([fields], { lineWidth: 0 }))
    return comment ? text + commented(comment) : text
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
