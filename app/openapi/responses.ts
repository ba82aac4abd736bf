import { STATUS_CODES } from 'node:http'
import { errorBody, toProblem, type Problem } from '#exceptions/problem'
import { exampleOf } from './examples.ts'
import { records } from './schemas.ts'
import { ref } from './schema.ts'
import type { Answer } from './operation.ts'
import type { Refusal, RefusalClass } from '#exceptions/refusal'

/*
 | Answers of an operation. Refusals are rendered by what renders them in earnest, so that
 | an example shows the very words of the answer.
 */

const REQUEST_ID = 'q1ZpY3Vt-2k'

/** Headers that come with a status, and what they tell. */
const HEADERS: Record<string, Record<string, string>> = {
  401: { 'WWW-Authenticate': '`Bearer`, with `error="invalid_token"` when a token was sent.' },
  429: {
    'Retry-After': 'Seconds until another try makes sense.',
    'RateLimit-Limit': 'Requests allowed in a window.',
    'RateLimit-Remaining': 'Requests left in this window.',
    'RateLimit-Reset': 'Seconds until the next window.',
  },
  503: { 'Retry-After': 'Seconds until another try makes sense.' },
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
  const example = answer.example ?? exampleOf(schema, records)
  return { description, ...describeHeaders(headers), content: { [type]: { schema, example } } }
}

/** An answer without a body, such as a redirect. */
export function describeBare({ description, headers = {} }: Answer) {
  return { description, ...describeHeaders(headers) }
}

export function problemOf(refusal: RefusalClass | Refusal): Problem {
  return toProblem(typeof refusal === 'function' ? new refusal() : refusal)
}

/** One response for each status, with an example for each way to get it. */
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

/** The code, with a number where several refusals of one status have the same. */
function nameOf(problems: Problem[], index: number) {
  const { code } = problems[index]
  const earlier = problems.slice(0, index).filter((problem) => problem.code === code).length
  return earlier === 0 ? code : `${code}_${earlier + 1}`
}

/** An operation may answer one status with a record or with a refusal. */
export function mergeAnswers(answers: Record<string, any>, problems: Record<string, any>) {
  const merged = { ...problems, ...answers }
  for (const status of Object.keys(answers).filter((key) => key in problems)) {
    merged[status] = mergeContent(answers[status], problems[status])
  }
  return merged
}

function mergeContent(answer: any, problem: any) {
  const mine = answer.content['application/json']
  const theirs = problem.content['application/json']
  const examples = { answer: { value: mine.example }, ...theirs.examples }
  const schema = { anyOf: [mine.schema, theirs.schema] }
  return { ...problem, ...answer, content: { 'application/json': { schema, examples } } }
}
