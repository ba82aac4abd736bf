import ts from 'typescript'
import type { SourceFile } from './source_files.ts'

export interface Length {
  where: string
  lines: number
}

export function fileLengths(files: { path: string; text: string }[]): Length[] {
  return files.map(({ path, text }) => ({
    where: path,
    lines: text.trimEnd().split('\n').length,
  }))
}

/** Counts the lines between the braces of each function, or one for a one-line arrow function. */
export function functionLengths(files: SourceFile[]): Length[] {
  return files.flatMap((file) =>
    nodesOf(file.syntax)
      .filter((node) => ts.isFunctionLike(node) && 'body' in node && node.body)
      .map((node) => lengthOf(file, (node as ts.FunctionLikeDeclaration).body!))
  )
}

/** Measures the callbacks of `test(…)` and of its `run(…)`. A group may be longer. */
export function testLengths(files: SourceFile[]): Length[] {
  return files.flatMap((file) =>
    nodesOf(file.syntax)
      .filter((node) => ts.isCallExpression(node))
      .filter(({ expression }) => /^test$|\.run$/.test(expression.getText(file.syntax)))
      .flatMap((call) => call.arguments.filter((each) => ts.isFunctionLike(each)))
      .map((callback) => lengthOf(file, (callback as ts.ArrowFunction).body))
  )
}

function lengthOf({ path, syntax }: SourceFile, body: ts.Node): Length {
  const start = syntax.getLineAndCharacterOfPosition(body.getStart(syntax)).line
  const end = syntax.getLineAndCharacterOfPosition(body.end).line
  const braces = ts.isBlock(body) ? -1 : 1
  return { where: `${path}:${start + 1}`, lines: Math.max(end - start + braces, 1) }
}

function nodesOf(node: ts.Node): ts.Node[] {
  const found = [node]
  ts.forEachChild(node, (child) => {
    found.push(...nodesOf(child))
  })
  return found
}

/** Counts the non-blank lines, and those that contain only a comment. */
export function commentLines(files: SourceFile[]) {
  let [comments, lines] = [0, 0]
  for (const { text } of files) {
    const filled = text.split('\n').filter((line) => line.trim())
    lines += filled.length
    comments += filled.filter((line) => /^\s*(\/\/|\/\*|\*|\|)/.test(line)).length
  }
  return { comments, lines }
}

export function countAny(files: SourceFile[]) {
  return files.flatMap((file) =>
    nodesOf(file.syntax)
      .filter((node) => ts.isAsExpression(node) && node.type.kind === ts.SyntaxKind.AnyKeyword)
      .map((node) => lengthOf(file, node).where)
  )
}
