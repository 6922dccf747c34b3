CREATE INDEX `invitations_inviter_id_id_index` ON `invitations` (`inviter_id`,`id`);
--> statement-breakpoint
CREATE INDEX `messages_member_id_id_index` ON `messages` (`member_id`,`id`);
