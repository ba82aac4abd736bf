import { STATUS_CODES } from 'node:http'
import { errorBody, toProblem, type Problem } from '#exceptions/problem'
import { exampleOf } from './example_of.ts'
import { records } from './schemas/index.ts'
import { ref } from './schema.ts'
import type { Answer } from './operation.ts'
import type { Refusal, RefusalClass } from '#exceptions/refusal'

/* The code that answers clients renders refusals, so that an example has the exact message. */

const REQUEST_ID = 'q1ZpY3Vt-2k'

const HEADERS: Record<string, Record<string, string>> = {
  401: { 'WWW-Authenticate': '`Bearer`, with `error="invalid_token"` when a token was sent.' },
  429: {
    'Retry-After': 'Seconds to wait before another try.',
    'RateLimit-Limit': 'Requests allowed in a window.',
    'RateLimit-Remaining': 'Requests left in this window.',
    'RateLimit-Reset': 'Seconds until the next window.',
  },
  503: { 'Retry-After': 'Seconds to wait before another try.' },
}

function describeHeaders(headers: Record<string, string>) {
  const entries = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return entries.length > 0 ? { headers: Object.fromEntries(entries) } : {}
}

export function describeAnswer(answer: Answer) {
  const { description, schema, type = 'application/json', headers = {} } = answer
  const shown =
    schema.format === 'binary' ? {} : { example: answer.example ?? exampleOf(schema, records) }
  return { description, ...describeHeaders(headers), content: { [type]: { schema, ...shown } } }
}

/** Describes an answer without a body, such as a redirect or 204. */
export function describeBare({ description, headers = {} }: Answer) {
  return { description, ...describeHeaders(headers) }
}

export function problemOf(refusal: RefusalClass | Refusal): Problem {
  return toProblem(typeof refusal === 'function' ? new refusal() : refusal)
}

/** Returns one response for each status, with an example for each refusal. */
export function describeProblems(problems: Problem[]) {
  const byStatus = Map.groupBy(problems, ({ status }) => status)
  return Object.fromEntries([...byStatus].map(([status, same]) => [status, toResponse(same)]))
}

function toResponse(problems: Problem[]) {
  const { status } = problems[0]
  const examples = problems.map((problem, index) => [
    nameOf(problems, index),
    { summary: problem.message, value: errorBody(problem, REQUEST_ID) },
  ])
  return {
    description: STATUS_CODES[status],
    ...describeHeaders(HEADERS[status] ?? {}),
    content: {
      'application/json': { schema: ref('Error'), examples: Object.fromEntries(examples) },
    },
  }
}

/** Returns the code, with a number if several refusals of one status have it. */
function nameOf(problems: Problem[], index: number) {
  const { code } = problems[index]
  const earlier = problems.slice(0, index).filter((problem) => problem.code === code).length
  return earlier === 0 ? code : `${code}_${earlier + 1}`
}

/** An operation may use a status for a record and for a refusal. */
export function mergeAnswers(answers: Record<string, any>, problems: Record<string, any>) {
  const merged = { ...problems, ...answers }
  for (const status of Object.keys(answers).filter((key) => key in problems)) {
    merged[status] = mergeContent(answers[status], problems[status])
  }
  return merged
}

function mergeContent(answer: any, problem: any) {
  const record = answer.content['application/json']
  const error = problem.content['application/json']
  const examples = { answer: { value: record.example }, ...error.examples }
  const schema = { anyOf: [record.schema, error.schema] }
  return { ...problem, ...answer, content: { 'application/json': { schema, examples } } }
}
