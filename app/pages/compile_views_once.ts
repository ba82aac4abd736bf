import type { Edge } from 'edge.js'

/*
 | edge.js 6.5 lists the folder of components for each page, and compiles each included view again,
 | whatever its `cache` says. Both depend only on files, which change only in development.
 */

export function compileViewsOnce(edge: Edge) {
  listComponentsOnce(edge.loader)
  compileOnce(edge.compiler)
  compileOnce(edge.asyncCompiler)
}

function listComponentsOnce(loader: Edge['loader']) {
  const list = loader.listComponents.bind(loader)
  let components: ReturnType<typeof list> | undefined
  loader.listComponents = () => (components ??= list())
}

/** A view that is included in a loop takes the variables of the loop as parameters. */
function compileOnce(compiler: Edge['compiler']) {
  const compile = compiler.compile.bind(compiler)
  const compiled = new Map<string, ReturnType<typeof compile>>()
  compiler.compile = (view, variables = []) => {
    const key = [view, ...variables].join('\n')
    const known = compiled.get(key) ?? compile(view, variables)
    compiled.set(key, known)
    return known
  }
}
