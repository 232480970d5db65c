/** Recently reset streams: frames that the peer sent before it saw the reset are not a violation. */

const maxIds = 1000;

export class RecentIds {
  private readonly ids = new Set<number>();

  add(id: number): void {
    this.ids.add(id);
    if (this.ids.size <= maxIds) return;
    for (const oldest of this.ids) {
      this.ids.delete(oldest);
      return;
    }
  }

  has(id: number): boolean {
    return this.ids.has(id);
  }
}
