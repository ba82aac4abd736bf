import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

/*
 | The sources as TypeScript parses them, and their imports of each other. File names are relative
 | to the root of the repository.
 */

export interface SourceFile {
  path: string
  text: string
  syntax: ts.SourceFile
}

export interface Import {
  from: string
  to: string
  /** Whether the import is removed when the code is compiled. */
  isType: boolean
}

const root = join(import.meta.dirname, '../..')
const { imports: ALIASES } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  imports: Record<string, string>
}

export function readSources(pattern: string): SourceFile[] {
  return globSync(pattern, { cwd: root }).map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const syntax = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    return { path, text, syntax }
  })
}

/** Returns each static import of one of these files by another. */
export function importsOf(files: SourceFile[]): Import[] {
  const known = new Set(files.map(({ path }) => path))
  return files.flatMap(({ path, syntax }) =>
    syntax.statements.flatMap((statement) => {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return []
      if (!statement.moduleSpecifier) return []
      const to = resolve((statement.moduleSpecifier as ts.StringLiteral).text, path)
      return known.has(to) ? [{ from: path, to, isType: isTypeOnly(statement) }] : []
    })
  )
}

function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration) {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly
  const { importClause } = statement
  if (!importClause || importClause.isTypeOnly) return Boolean(importClause)
  const named = importClause.namedBindings
  if (importClause.name || !named || !ts.isNamedImports(named)) return false
  return named.elements.length > 0 && named.elements.every((each) => each.isTypeOnly)
}

/** Resolves `#auth/errors` and `./errors.ts` to a path from the root. */
function resolve(specifier: string, from: string) {
  const relativePath = specifier.startsWith('.')
    ? relative(root, join(root, dirname(from), specifier))
    : aliased(specifier)
  return relativePath.replace(/\.js$/, '.ts')
}

function aliased(specifier: string) {
  const alias = Object.keys(ALIASES).find((each) => specifier.startsWith(each.replace('*', '')))
  if (!alias) return specifier
  const rest = specifier.slice(alias.length - 1)
  return ALIASES[alias].replace('./', '').replace('*', rest)
}
