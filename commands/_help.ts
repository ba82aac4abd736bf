import { HelpCommand } from '@adonisjs/core/ace'
import type { CommandMetaData, FlagListener } from '@adonisjs/core/types/ace'
import { columnsOf, TERMINAL_WIDTH, wrapText, wrapWords } from './_wrap.ts'

type Argument = CommandMetaData['args'][number]
type Flag = CommandMetaData['flags'][number]

interface Option {
  name: string
  description: string
}

/** The framework wraps each source line separately, so that paragraphs would break twice. */
class Help extends HelpCommand {
  protected override renderList({ args, flags }: CommandMetaData) {
    this.#renderOptions('Arguments:', args.map(argumentOption))
    this.#renderOptions('Options:', flags.map(flagOption))
  }

  #renderOptions(heading: string, options: Option[]) {
    if (options.length === 0) return
    this.logger.log(`\n${this.colors.yellow(heading)}`)
    for (const { name, lines } of formatOptions(options, TERMINAL_WIDTH)) {
      const described = lines.map((line) => this.colors.dim(line))
      this.logger.log(this.colors.green(name) + described.join('\n'))
    }
  }

  protected override renderHelp({ help = [] }: CommandMetaData) {
    const binary = String(this.kernel.info.get('binary') ?? '')
    const lines = [help].flat().map((line) => line.replaceAll('{{ binaryName }}', binary))
    if (lines.length === 0) return
    this.logger.log(`\n${this.colors.yellow('Help:')}`)
    this.logger.log(formatHelp(lines, TERMINAL_WIDTH).join('\n'))
  }
}

export async function showHelp(...[command, kernel, parsed]: Parameters<FlagListener<any>>) {
  const asked = { ...parsed, args: [command.commandName] }
  await new Help(kernel, asked, kernel.ui, kernel.prompt).exec()
  /** The framework still validates the arguments, although the command does not get them. */
  parsed.args = command.args.map(() => command.commandName)
  return kernel.shortcircuit()
}

function argumentOption({ type, argumentName, required, description = '' }: Argument): Option {
  const name = type === 'spread' ? `${argumentName}...` : argumentName
  return { name: required ? name : `[${name}]`, description }
}

function flagOption({ type, flagName, description = '', ...flag }: Flag): Option {
  const value = `=${flagName.split('-').at(-1)!.toUpperCase()}`
  const negated = 'showNegatedVariantInHelp' in flag ? `|--no-${flagName}` : ''
  const shown = { boolean: negated, array: `${value}...`, string: value, number: value }[type]
  const byDefault = flag.default === undefined ? '' : ` [default: ${flag.default}]`
  return { name: `--${flagName}${shown}`, description: description + byDefault }
}

/** Puts a name that would take more than two fifths of the width on a separate line. */
export function formatOptions(options: Option[], width: number) {
  const names = options.map(({ name }) => `  ${name}  `)
  const widths = names.map(columnsOf)
  const column = Math.max(...widths.filter((taken) => taken <= width * 0.4), 8)
  const indent = ' '.repeat(column)
  return options.map(({ description }, at) => {
    const lines = wrapText(description, width, { first: indent })
    if (widths[at] > column) return { name: `${names[at].trimEnd()}\n`, lines }
    const [first, ...rest] = lines
    return { name: names[at].padEnd(column), lines: [first.slice(column), ...rest] }
  })
}

/** Joins consecutive source lines to a paragraph; commands are indented in the source. */
export function formatHelp(lines: string[], width: number) {
  const blocks: string[] = []
  for (const line of lines) {
    const last = blocks.at(-1)
    if (last?.endsWith(' \\')) blocks.push(`${blocks.pop()!.slice(0, -2)} ${line.trim()}`)
    else if (last && isProse(last) && isProse(line)) blocks.push(`${blocks.pop()} ${line}`)
    else blocks.push(line)
  }
  return blocks.flatMap((block) => formatBlock(block, width))
}

function isProse(line: string) {
  return /^\S/.test(line)
}

function formatBlock(block: string, width: number) {
  if (block === '') return ['']
  if (isProse(block)) return wrapText(block, width, { first: '  ' })
  const [, name, meaning] = `  ${block}`.match(ENTRY) ?? []
  if (name) return wrapText(meaning, width, { first: name, rest: ' '.repeat(name.length) })
  const words = block.match(WORDS) ?? []
  return wrapWords(words, width, { first: '    ', rest: '      ', continued: ' \\' })
}

/** A word and, in a separate column, its meaning. */
const ENTRY = /^( +\S+ {2,})(\S.*)$/

/** A text in quotes stays whole, so that the lines can be copied into a shell. */
const WORDS = /(?:"[^"]*"|[^\s"])+/g
