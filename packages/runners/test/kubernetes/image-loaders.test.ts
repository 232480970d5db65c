import { expect, test } from 'vitest';
import { imageLoaderFor } from '../../src/kubernetes/image-loaders.ts';

const commandOf = (context: string): string | undefined => {
  const loader = imageLoaderFor({ context, isThisMachine: false });
  return loader && [loader.tool, ...loader.load('/tmp/image.tar')].join(' ');
};

test('local clusters are known by their contexts, and load an archive into the cluster of that name', () => {
  expect(commandOf('kind-two-nodes')).toBe('kind load image-archive /tmp/image.tar --name two-nodes');
  expect(commandOf('k3d-dev')).toBe('k3d image import /tmp/image.tar --cluster dev');
  expect(commandOf('minikube')).toBe('minikube image load /tmp/image.tar');
});

test('other clusters pull their images', () => {
  for (const context of ['kind', 'staging', 'gke_project_zone_kind-x']) expect(commandOf(context)).toBeUndefined();
});
