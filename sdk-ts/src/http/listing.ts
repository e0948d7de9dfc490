/** One page of a listing; the cursor is null on the last one. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** A listing: `await` gives its first page, `for await` goes through all of them. */
export class Listing<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  constructor(
    private readonly page: (cursor: string | undefined) => Promise<Page<T>>,
    private readonly cursor?: string,
  ) {}

  then<A = Page<T>, B = never>(
    done?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.page(this.cursor).then(done, failed);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    let cursor = this.cursor;
    for (;;) {
      const { items, nextCursor } = await this.page(cursor);
      yield* items;
      if (nextCursor === null) return;
      cursor = nextCursor;
    }
  }
}
