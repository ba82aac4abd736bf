import { terminalLine } from '#exceptions/terminal_text'

export interface Position {
  line: number
  column: number
}

export interface Fault extends Position {
  file: string
  /** Such as `clients.0.redirectUris`; empty for the file itself. */
  field: string
  /** What is wrong and how to correct it; never the value of a secret. */
  message: string
}

/** Nothing was applied. */
export class ConfigurationFaults extends Error {
  code = 'E_CONFIGURATION_FILES'
  faults: Fault[]

  constructor(faults: Fault[]) {
    super(describe(faults))
    this.faults = faults
  }
}

/** As many faults as a terminal shows. */
const SHOWN = 20

function describe(faults: Fault[]) {
  const lines = faults.slice(0, SHOWN).map(describeFault)
  const more = faults.length - lines.length
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')
}

function describeFault({ file, line, column, field, message }: Fault) {
  const place = line > 0 ? `${file}:${line}:${column}` : file
  return shortened(terminalLine([place, field, message].filter(Boolean).join(': ')))
}

const LONGEST = 500

function shortened(text: string) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
