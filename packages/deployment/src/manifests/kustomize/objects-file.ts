/** Kubernetes objects as YAML files. */
import { Document, stringify } from 'yaml';
import type { KubernetesObject } from '../kubernetes/index.ts';
import type { ManifestFile } from '../manifest-file.ts';

/** YAML 1.1, as in `kubectl`: it reads `on` and `yes` as booleans, so such names need quotes. */
const version = '1.1';

/** All objects in one file. */
export function objectsFile(path: string, objects: readonly KubernetesObject[]): ManifestFile {
  // Without directives the library need not search every node for tags: a sixth of its time.
  const options = {
    version,
    aliasDuplicateObjects: false,
    lineWidth: 0,
    singleQuote: true,
    directives: false,
  } as const;
  return { path, text: objects.map((object) => stringify(object, options)).join('---\n') };
}

/** `kustomization.yaml` of a folder. @param head comment at the top */
export function kustomization(folder: string, head: string, fields: object): ManifestFile {
  const content = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...fields };
  const document = new Document(content, { version });
  document.commentBefore = head;
  return { path: `${folder}/kustomization.yaml`, text: document.toString({ lineWidth: 0, directives: false }) };
}
