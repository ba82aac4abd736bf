import type { ExportedEntry, ExportedLists } from './export.ts'

/** An empty list is left out. */
export async function toYaml(lists: ExportedLists) {
  const yaml = await import('yaml')
  const write = ({ fields, comment, isLeftOut }: ExportedEntry) => {
    const text = stringify([fields], yaml)
    const shown = indent(isLeftOut ? text.replaceAll(/^/gm, '# ').replace(/# $/, '') : text)
    return comment ? shown + commented(comment) : shown
  }
  const parts = Object.entries(lists)
    .filter(([, entries]) => entries.length > 0)
    .map(([name, entries]) => `${name}:\n${entries.map(write).join('')}`)
  return parts.length > 0 ? parts.join('\n') : '{}\n'
}

/** A terminal obeys some of them, and others turn what it shows around. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** YAML reads escapes within double quotes alone. */
function stringify(value: object, { Document, visit }: typeof import('yaml')) {
  const document = new Document(value)
  visit(document, {
    Scalar(_, scalar) {
      if (String(scalar.value).search(UNSEEN) !== -1) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return escapeUnseen(document.toString({ lineWidth: 0 }))
}

/** Before lines are indented: some of them end a line for a pattern, and none for YAML. */
function escapeUnseen(text: string) {
  return text.replaceAll(UNSEEN, (character) => {
    const point = character.codePointAt(0)!
    return `\\U${point.toString(16).padStart(8, '0')}`
  })
}

function indent(text: string) {
  return text.replaceAll(/^(?=.)/gm, '  ')
}

function commented(text: string) {
  return escapeUnseen(text)
    .split('\n')
    .map((line) => `    # ${line}\n`)
    .join('')
}
