/*
 | A rule for comments and titles of tests: a pronoun stands for a noun that has a name, so that
 | the sentence says the noun.
 */
const WORDS = /\b(whoever|nobody|theirs|that of|those of|of before)\b/i

const MESSAGE = 'Say the noun instead of “{{ word }}”.'

function isTitle({ callee, arguments: [title] }) {
  const name = callee.type === 'MemberExpression' ? callee.object.name : callee.name
  return name === 'test' && typeof title?.value === 'string'
}

export default {
  meta: { type: 'suggestion', schema: [], messages: { word: MESSAGE } },
  create(context) {
    const report = (node, text) => {
      const [word] = WORDS.exec(text) ?? []
      if (word) context.report({ loc: node.loc, messageId: 'word', data: { word } })
    }
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          report(comment, comment.value.replaceAll(/\s*\n\s*[*|]?\s*/g, ' '))
        }
      },
      CallExpression(node) {
        if (isTitle(node)) report(node.arguments[0], node.arguments[0].value)
      },
    }
  },
}
