import type { Ref } from '../../digest.ts'

/** The documents that a mission is given. */
export const GIVEN_ARTIFACTS = ['mission.md', 'map.md', 'findings.md'] as const
/** All documents of a mission: fold.md comes from an accepted fold. */
export const ARTIFACTS = [...GIVEN_ARTIFACTS, 'fold.md'] as const

export type GivenArtifact = (typeof GIVEN_ARTIFACTS)[number]
export type ArtifactName = (typeof ARTIFACTS)[number]

/** Where a document's bytes are. */
export interface Artifact {
  readonly name: ArtifactName
  readonly ref: Ref
  readonly bytes: number
}

export type Artifacts = Readonly<Partial<Record<ArtifactName, Artifact>>>
