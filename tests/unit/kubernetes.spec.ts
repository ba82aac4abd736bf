import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { parseAllDocuments } from 'yaml'

/* The example is valid for a cluster, and keeps what the documents promise about the image. */

interface Resource {
  apiVersion: string
  kind: string
  metadata: { name: string }
  spec?: any
  data?: Record<string, string>
}

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'examples/kubernetes/gatehouse.yaml'), 'utf8')
const resources: Resource[] = parseAllDocuments(text).map((document) => document.toJS())

const of = (kind: string) => resources.find((resource) => resource.kind === kind)!

/** Returns the Kubernetes schema of a resource. Unknown fields are a fault only in this test. */
async function modelOf({ apiVersion, kind }: Resource) {
  const { [kind]: model } = await import(`kubernetes-models/${apiVersion}/${kind}`)
  return model as new (resource: Resource) => { validate(): void }
}

test.group('Kubernetes', () => {
  test('{kind} follows the schema of Kubernetes')
    .with(resources)
    .run(async ({ assert }, resource) => {
      const Model = await modelOf(resource)
      assert.doesNotThrow(() => new Model(resource).validate())
    })

  test('the schema refuses a wrong field', async ({ assert }) => {
    const Model = await modelOf(of('Deployment'))
    const wrong = { ...of('Deployment'), spec: { ...of('Deployment').spec, replicas: 'two' } }
    assert.throws(() => new Model(wrong).validate())
  })

  test('selectors, ports and names lead to the pods', ({ assert }) => {
    const { spec } = of('Deployment')
    const { labels } = spec.template.metadata
    assert.deepEqual(spec.selector.matchLabels, labels)
    assert.deepEqual(of('Service').spec.selector, labels)
    assert.deepEqual(of('PodDisruptionBudget').spec.selector.matchLabels, labels)
    const [port] = spec.template.spec.containers[0].ports
    assert.equal(of('Service').spec.ports[0].targetPort, port.name)
    const [{ http }] = of('Ingress').spec.rules
    assert.equal(http.paths[0].backend.service.name, of('Service').metadata.name)
  })

  test('pods are read-only, without capabilities, as a user of their own', ({ assert }) => {
    const { securityContext: pod, containers } = of('Deployment').spec.template.spec
    assert.containSubset(pod, { runAsNonRoot: true, runAsUser: 1000 })
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
    assert.match(dockerfile, /^USER node$/m)
    assert.deepEqual(containers[0].securityContext, {
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    })
  })

  test('every setting exists', ({ assert }) => {
    const env = readFileSync(join(root, 'start/env.ts'), 'utf8')
    for (const name of Object.keys(of('ConfigMap').data!)) assert.include(env, `  ${name}:`)
  })
})
