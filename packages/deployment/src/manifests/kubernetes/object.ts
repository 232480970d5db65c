/** Objects of the Kubernetes API as plain data, as far as manifests use them. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
}

export interface ObjectMeta {
  name: string;
  /** Absent for objects of the cluster. */
  namespace?: string;
  labels?: Readonly<Record<string, string>>;
  /** The object is deleted with its owners. */
  ownerReferences?: readonly OwnerReference[];
  annotations?: Readonly<Record<string, string>>;
}

/** Settings that all manifests of a deployment share. */
export interface ManifestOptions {
  namespace: string;
  /** Image of the roles. */
  image: string;
  /** Labels of every object. */
  labels: Readonly<Record<string, string>>;
  /**
   * Whether the server has native sidecar containers: init containers that keep running (Kubernetes 1.29 or newer).
   * They start before the service and end after it.
   */
  nativeSidecars: boolean;
  /**
   * `labelled`: every pod runs on a cluster node with the label `dev.topo-bench.node=<node of the topology>`. `spread`:
   * pods are distributed evenly over the nodes of the cluster.
   */
  nodes: 'labelled' | 'spread';
  /** Whether the process of each role can be killed and stopped: a keeper in its container listens. Default: no. */
  keepers?: boolean;
  /** Limit of the memory of roles without one in the topology. Default: none. */
  memoryBytes?: number;
}

/** Label of the cluster nodes that stand for a node of the topology. */
export const nodeLabel = 'dev.topo-bench.node';

/** Label of a pod and of all objects that belong to it: the name of its Deployment. */
export const podLabel = 'dev.topo-bench.pod';
