import { IntlMessageFormat } from 'intl-messageformat'

type Part = ReturnType<IntlMessageFormat['getAst']>[number]

/** @throws SyntaxError for an invalid message */
export function argumentsOf(message: string) {
  const names = new Set<string>()
  const { getAst } = new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true })
  collect(getAst(), names)
  return names
}

function collect(parts: Part[], names: Set<string>) {
  for (const part of parts) {
    const isLiteral = part.type === 0 || part.type === 7
    if (!isLiteral) names.add(part.value as string)
    if ('options' in part) Object.values(part.options).forEach(({ value }) => collect(value, names))
  }
}
