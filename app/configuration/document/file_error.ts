import { terminalLine } from '#exceptions/terminal_text'

export interface Position {
  line: number
  column: number
}

export interface FileError extends Position {
  file: string
  /** Such as `clients.0.redirectUris`; empty for the file itself. */
  field: string
  /** What is wrong and how to correct it; never the value of a secret. */
  message: string
}

/** Nothing was applied. */
export class InvalidConfiguration extends Error {
  code = 'E_CONFIGURATION_FILES'
  errors: FileError[]

  constructor(errors: FileError[]) {
    super(describe(errors))
    this.errors = errors
  }
}

/** As many errors as a terminal shows. */
const SHOWN = 20

function describe(errors: FileError[]) {
  const lines = errors.slice(0, SHOWN).map(describeError)
  const more = errors.length - lines.length
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')
}

function describeError({ file, line, column, field, message }: FileError) {
  const place = line > 0 ? `${file}:${line}:${column}` : file
  return shortened(terminalLine([place, field, message].filter(Boolean).join(': ')))
}

const LONGEST = 500

function shortened(text: string) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
