# ordinary: what a program in Perl does, and a sandbox need not refuse.
use strict;
use warnings;
use File::Temp;
use IO::Socket::INET;
use Time::HiRes qw(sleep);

my $file = File::Temp->new;
print $file "text";
sleep(0.001);
my $server = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1');
my $child = fork();
exit 0 if !$child;
waitpid($child, 0);
system('true');
print "done\n";
