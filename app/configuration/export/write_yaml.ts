import type { ExportedEntry, ExportedLists } from './export.ts'

/** Leaves out empty lists. */
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

/** Some of these characters control a terminal, and others reverse the text that it shows. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** YAML reads escapes only within double quotes. */
function stringify(value: object, { Document, visit }: typeof import('yaml')) {
  const document = new Document(value)
  visit(document, {
    Scalar(_, scalar) {
      if (String(scalar.value).search(UNSEEN) !== -1) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return escapeUnseen(document.toString({ lineWidth: 0 }))
}

/** Runs before lines are indented: some characters end a line for a pattern, but not for YAML. */
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
