import { basename } from 'node:path'
import limits from '#config/limits'
import { sourceValidator } from '#validators/configuration'
import { InvalidConfiguration, type FileError } from './file_error.ts'
import { readEntries, errorAt, unknownField, type Entry, type SourceFile } from './entries.ts'
import { LIST_NAMES, LISTS } from './lists.ts'
import { parseYaml } from './parse_yaml.ts'
import { readText, UnreadableText } from './read_text.ts'

export interface Configuration {
  files: SourceFile[]
  entries: Entry[]
}

/** @throws InvalidConfiguration with all errors of all files */
export async function readConfiguration(paths: string[]): Promise<Configuration> {
  const errors: FileError[] = []
  const configuration: Configuration = { files: [], entries: [] }
  if (paths.length > limits.configurationFiles)
    errors.push(errorOf(paths[0], `At most ${limits.configurationFiles} files are read at once`))
  else for (const path of paths) await readInto(configuration, path, errors)
  errors.push(...repeated(configuration.entries))
  if (errors.length > 0) throw new InvalidConfiguration(errors)
  return configuration
}

function errorOf(file: string, message: string): FileError {
  return { file, line: 0, column: 0, field: '', message }
}

async function readInto(configuration: Configuration, path: string, errors: FileError[]) {
  const text = await readWhole(path, errors)
  if (text === null) return
  const parsed = await parseYaml(text)
  if (parsed.errors.length > 0) {
    errors.push(...parsed.errors.map((error) => ({ ...error, file: path })))
    return
  }
  const file = { path, name: nameOf(path), source: null, positionOf: parsed.positionOf }
  const content = contentOf(parsed.value, file, errors)
  if (!content) return
  const whole = { ...file, source: await sourceOf(content, file, errors) }
  const read = await readEntries(whole, content)
  errors.push(...read.errors)
  configuration.files.push(whole)
  configuration.entries.push(...read.entries)
}

async function readWhole(path: string, errors: FileError[]) {
  try {
    return await readText(path, limits.configurationBytes)
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error
    errors.push(errorOf(path, `The file ${error.message}`))
    return null
  }
}

const LONGEST_NAME = 255

function nameOf(path: string) {
  return basename(path).slice(-LONGEST_NAME)
}

const FIELDS = ['source', ...LIST_NAMES]

/** Refuses an empty file, because it may have been cut off. */
function contentOf(value: unknown, file: SourceFile, errors: FileError[]) {
  const place = { file, field: '' }
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isMap) {
    const message = `The file must have fields such as ${LIST_NAMES[0]}: …, or {} for none`
    errors.push(errorAt(place, '', message))
    return null
  }
  const content = value as Record<string, unknown>
  for (const name of Object.keys(content))
    if (!FIELDS.includes(name))
      errors.push(errorAt({ file, field: name }, '', unknownField(name, FIELDS)))
  return content
}

async function sourceOf({ source }: { source?: unknown }, file: SourceFile, errors: FileError[]) {
  try {
    const valid = await sourceValidator.validate({ source })
    return valid.source ?? null
  } catch (error: any) {
    if (error.code !== 'E_VALIDATION_ERROR') throw error
    const message = 'source must be a name of letters, digits or signs of . _ - : /'
    errors.push(errorAt({ file, field: 'source' }, '', message))
    return null
  }
}

/** Finds entries of the same record, because they could contradict each other. */
function repeated(entries: Entry[]): FileError[] {
  const first = new Map<string, Entry>()
  return entries.flatMap((entry) => {
    const { kind, noun, keyOf } = LISTS[entry.list]
    const key = `${kind} ${keyOf(entry.value as never)}`
    const other = first.get(key)
    if (!other) first.set(key, entry)
    if (!other) return []
    const { line } = other.file.positionOf(other.field)
    const message = `This ${noun} is in ${other.file.path}:${line} already: remove one of them`
    return [errorAt(entry, '', message)]
  })
}
